// Scrolls the list of steps, and nothing else, once the page has drawn what it is to show.
const BOX = ".st-key-steps";
const PATIENCE = 2000;
const MARGIN = 8;

function scroller(element) {
  for (let each = element; each; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  }
  return null;
}

// A step that is selected is unfolded; it may be drawn later than this is told of it.
function show(number, until) {
  const box = document.querySelector(BOX);
  const step = box && box.querySelector(`[class*="-${number}-unfolded"]`);
  const frame = scroller(box);
  if (!step || !frame) {
    if (performance.now() < until) setTimeout(() => show(number, until), 50);
    return;
  }
  const place = () => {
    const inside = step.getBoundingClientRect(), outside = frame.getBoundingClientRect();
    if (inside.top < outside.top || inside.bottom > outside.bottom) {
      frame.scrollTop += inside.top - outside.top - MARGIN;
    }
  };
  place();
  // What was unfolded before folds a moment later.
  setTimeout(place, 300);
}

export default function (component) {
  const {parentElement, data} = component;
  const told = parentElement.querySelector("div").dataset;
  const selected = String(data.selected), newest = String(data.newest);
  if (told.selected === selected && (data.selected || told.newest === newest)) return;
  const first = told.selected === undefined;
  Object.assign(told, {selected, newest});
  if (data.selected) {
    show(data.selected, performance.now() + PATIENCE);
  } else if (!first) {
    const frame = scroller(document.querySelector(BOX));
    if (frame) frame.scrollTop = 0;
  }
}
