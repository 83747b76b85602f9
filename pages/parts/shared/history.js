// What the browser's way back stops at: another page, and another thing that a page is about. Whatever else stands
// in an address, such as what is selected, takes the place of what stood there, or Back would seem to do nothing.
const LINK = '[data-testid="stSidebarNav"] a';
const ABOUT = {"": "run", "runs": "inspected-run"};

// What the Workbench tells a moment late would come to stand in the address of the page that is shown by then.
const owned = (address, here) => {
  if (page(address) === "" || !address.searchParams.has(ABOUT[""])) return address;
  if (page(address) === page(new URL(here))) return new URL(here);
  address.searchParams.delete(ABOUT[""]);
  return address;
};

const page = (address) => address.pathname.split("/").at(-1);
const thing = (address) => address.searchParams.get(ABOUT[page(address)] ?? "");

export default function () {
  if (history.begun) return;
  history.begun = true;
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  // Before the next page comes, what its address tells takes the place of what the one that is left tells: Back
  // shall find that as it was when a link or a button that leads on was clicked.
  let clicked = null, leaves = false;
  document.addEventListener("click", ({target}) => {
    const link = target.closest?.(LINK);
    clicked = new URL(location.href);
    leaves = Boolean(link) && page(new URL(link.href)) !== page(clicked);
  }, true);
  // After Back, Streamlit replaces what it would add else.
  history.replaceState = (state, unused, target) =>
    replace(state, unused, owned(new URL(target ?? location, location.href), location.href));
  history.pushState = (state, unused, target) => {
    const here = new URL(location.href);
    const there = owned(new URL(target ?? here, here), here);
    if (leaves && page(here) === page(there)) return replace(state, unused, there);
    if (page(here) !== page(there)) {
      if (clicked && page(clicked) === page(here)) replace(history.state, unused, clicked);
      clicked = null;
      leaves = false;
    }
    const same = page(here) === page(there) && thing(here) === thing(there);
    // The Workbench is told by the session which run it shows, a moment after it was opened.
    const opens = page(here) === "" && page(there) === "" && thing(here) === null;
    if (same || opens) replace(state, unused, there);
    else push(state, unused, there);
  };
}
