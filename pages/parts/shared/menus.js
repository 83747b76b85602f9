// What a menu holds lies at the end of the page: Tab goes into it from its button, and on from there at its end.
const BUTTON = '[data-testid="stPopoverButton"][aria-expanded="true"]';
const MENU = '[data-testid="stPopoverBody"]';
const FOCUSABLE = 'a[href], button, input, textarea, summary, [tabindex="0"]';

const seen = (each) => each.getClientRects().length > 0;
// While the keyboard is elsewhere, what a menu holds is taken out of its order and marked so.
const reachable = (each) => each.tabIndex >= 0 || "tabindex" in each.dataset;
const within = (menu) => [...menu.querySelectorAll(FOCUSABLE)]
  .filter((each) => !each.disabled && reachable(each) && seen(each));

function goOn(event) {
  const menu = [...document.querySelectorAll(MENU)].at(-1);
  if (!menu) return;
  const here = document.activeElement;
  const entries = within(menu);
  const enters = event.key === "ArrowDown" || (event.key === "Tab" && !event.shiftKey);
  if (here.matches(BUTTON) && enters && entries.length) {
    event.preventDefault();
    entries[0].focus();
  } else if (event.key === "Tab" && menu.contains(here)) {
    const end = event.shiftKey ? entries[0] : entries.at(-1);
    const button = [...document.querySelectorAll(BUTTON)].filter(seen).at(-1);
    if ((here !== end && here !== menu) || !button) return;
    // From the button the browser goes to what follows it; backwards the button itself is what is wanted.
    if (event.shiftKey) event.preventDefault();
    button.focus();
  }
}

export default function ({parentElement}) {
  const mark = parentElement.querySelector("div");
  if (mark.dataset.begun) return;
  mark.dataset.begun = "yes";
  // Before the page, which may keep a key for itself.
  document.addEventListener("keydown", function listen(event) {
    if (mark.isConnected) goOn(event);
    else document.removeEventListener("keydown", listen, true);
  }, true);
}
