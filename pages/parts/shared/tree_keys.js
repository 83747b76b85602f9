// A list that nobody sees stands for the nodes of the chart, and a ring in the chart shows where in it one is.
const CHART = ".st-key-tree-box svg";
const MARGIN = 3;

export default function ({parentElement, data, setTriggerValue}) {
  const list = parentElement.querySelector("ul"), ring = parentElement.querySelector("span");
  const entries = data.entries;
  const kept = entries.findIndex((each) => each.name === list.dataset.active);
  const chosen = entries.findIndex((each) => each.name === data.selected);
  let at = Math.max(kept >= 0 ? kept : chosen, 0);

  // Several kits may hide as many tools, and are then written alike: they stand in the order of the list.
  const labelOf = (entry) => {
    const same = [...document.querySelectorAll(`${CHART} text`)]
      .filter((each) => each.textContent.trim() === entry.label.trim())
      .sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
    return same[entries.filter((each) => each.label === entry.label).indexOf(entry)];
  };
  const frame = () => {
    const label = labelOf(entries[at]);
    ring.hidden = !label || list.getRootNode().activeElement !== list;
    if (ring.hidden) return;
    const box = label.getBoundingClientRect();
    Object.assign(ring.style, {
      left: `${box.left - MARGIN}px`, top: `${box.top - MARGIN}px`,
      width: `${box.width + 2 * MARGIN}px`, height: `${box.height + 2 * MARGIN}px`,
    });
  };
  const go = (to) => {
    if (to < 0 || to >= entries.length) return;
    at = to;
    list.dataset.active = entries[at].name;
    list.setAttribute("aria-activedescendant", `node-${at}`);
    labelOf(entries[at])?.scrollIntoView({block: "nearest"});
    frame();
  };
  const parentOf = (place) => entries.findLastIndex((each, i) => i < place && each.level < entries[place].level);
  const ways = {
    ArrowDown: () => at + 1,
    ArrowUp: () => at - 1,
    ArrowRight: () => (entries[at + 1]?.level > entries[at].level ? at + 1 : at),
    ArrowLeft: () => (parentOf(at) >= 0 ? parentOf(at) : at),
    Home: () => 0,
    End: () => entries.length - 1,
  };

  list.replaceChildren(...entries.map((each, i) => {
    const item = document.createElement("li");
    item.id = `node-${i}`;
    item.textContent = each.told;
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", each.level);
    item.setAttribute("aria-selected", String(each.name === data.selected));
    return item;
  }));
  list.setAttribute("aria-activedescendant", `node-${at}`);
  list.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !entries.length) return;
    if (event.key in ways) go(ways[event.key]());
    else if (event.key === "Enter" || event.key === " ") setTriggerValue("chosen", entries[at].name);
    else return;
    event.preventDefault();
  };
  list.onfocus = () => go(at);
  list.onblur = frame;
  // The chart moves when it is drawn anew, a moment after this is told of it, and when its box is scrolled.
  const box = document.querySelector(".st-key-tree-box");
  const watch = new MutationObserver(frame);
  if (box) watch.observe(box, {subtree: true, childList: true, attributes: true});
  document.addEventListener("scroll", frame, true);
  frame();
  return () => {
    watch.disconnect();
    document.removeEventListener("scroll", frame, true);
  };
}
