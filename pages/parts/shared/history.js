// What the browser's way back stops at: another page, and another thing that a page is about. Whatever else stands
// in an address, such as what is selected, takes the place of what stood there, or Back would seem to do nothing.
const ABOUT = {"": "run", "runs": "inspected-run"};

const page = (address) => address.pathname.split("/").at(-1);
const thing = (address) => address.searchParams.get(ABOUT[page(address)] ?? "");

export default function () {
  if (history.begun) return;
  history.begun = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, target) => {
    const here = new URL(location.href);
    const there = new URL(target ?? here, here);
    const same = page(here) === page(there) && thing(here) === thing(there);
    // The Workbench is told by the session which run it shows, a moment after it was opened.
    const opens = page(here) === "" && page(there) === "" && thing(here) === null;
    if (same || opens) history.replaceState(state, unused, target);
    else push(state, unused, target);
  };
}
