// A tour that lives in the browser alone: no click of it asks the server, and the browser remembers that it was seen.
const SEEN = "treeline-tour";
const GAP = 10;
// So long the page must have been at rest, and so long it is waited for.
const LOOK = 300, PATIENCE = 20000;

const seen = () => {
  try { return localStorage.getItem(SEEN) === "seen"; } catch { return true; }
};
const remember = () => {
  try { localStorage.setItem(SEEN, "seen"); } catch { /* a browser that keeps nothing */ }
};

function make(name, parent, text = "", kind = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (kind) element.className = kind;
  parent.appendChild(element);
  return element;
}

// Beside the target where there is room, else over its upper part.
function place(card, box) {
  const {offsetWidth: width, offsetHeight: height} = card;
  const within = (value, most) => Math.max(GAP, Math.min(value, most - GAP));
  let left = box.left, top = box.top - height - GAP;
  if (box.left - width - GAP > 0) { left = box.left - width - GAP; top = box.top; }
  else if (box.right + width + GAP < innerWidth) { left = box.right + GAP; top = box.top; }
  else if (top < GAP) top = box.top + GAP;
  card.style.left = within(left, innerWidth - width) + "px";
  card.style.top = within(top, innerHeight - height) + "px";
}

function begin(root, all) {
  // What a person may not do is not on the page.
  const stops = all.filter((stop) => document.querySelector(stop.at));
  if (!stops.length) return null;
  const ring = make("div", root, "", "ring");
  const card = make("section", root, "", "card");
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-label", "Tour");
  const title = make("h2", card), text = make("p", card), footer = make("footer", card);
  const count = make("span", footer);
  const leave = make("button", footer, "Leave"), back = make("button", footer, "Back");
  const next = make("button", footer, "Next", "next");
  let at = 0;

  let shown = "";
  const boxNow = () => (document.querySelector(stops[at].at) || document.body).getBoundingClientRect();
  const show = () => {
    const box = boxNow();
    shown = JSON.stringify(box);
    title.textContent = stops[at].title;
    text.textContent = stops[at].text;
    count.textContent = `${at + 1} of ${stops.length}`;
    back.disabled = at === 0;
    next.textContent = at + 1 === stops.length ? "Done" : "Next";
    Object.assign(ring.style, {left: box.left - 4 + "px", top: box.top - 4 + "px",
      width: box.width + 4 + "px", height: box.height + 4 + "px"});
    place(card, box);
  };
  // What is drawn later moves what is pointed at.
  const following = setInterval(() => { if (JSON.stringify(boxNow()) !== shown) show(); }, LOOK);
  const end = () => {
    remember();
    clearInterval(following);
    document.removeEventListener("keydown", press);
    removeEventListener("resize", show);
    root.replaceChildren();
  };
  const go = (step) => {
    at += step;
    if (at < 0) at = 0;
    if (at >= stops.length) end(); else show();
  };
  const press = (event) => { if (event.key === "Escape") end(); };
  leave.onclick = end;
  back.onclick = () => go(-1);
  next.onclick = () => go(1);
  document.addEventListener("keydown", press);
  addEventListener("resize", show);
  // One tour at a time, whichever part of the page began it.
  window.endTour?.();
  window.endTour = end;
  show();
  return next;
}

// What the tour points at is drawn after it, by a slow server long after.
function whenDrawn(stops, then, since = Date.now(), rested = 0) {
  const running = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";
  const all = stops.every((stop) => document.querySelector(stop.at));
  const rests = running ? 0 : rested + 1;
  if (rests > (all ? 1 : 3) || Date.now() - since > PATIENCE) then();
  else setTimeout(whenDrawn, LOOK, stops, then, since, rests);
}

export default function (component) {
  const {parentElement, data} = component;
  const root = parentElement.querySelector(".tour");
  const asked = String(data.times);
  if (root.dataset.times === asked) return;
  const first = root.dataset.times === undefined;
  root.dataset.times = asked;
  const again = data.times > 0 && !(first && sessionStorage.getItem(SEEN) === asked);
  sessionStorage.setItem(SEEN, asked);
  if (again || !seen()) {
    whenDrawn(data.stops, () => {
      const next = root.isConnected ? begin(root, data.stops) : null;
      if (again) next?.focus();
    });
  }
  return () => window.endTour?.();
}
