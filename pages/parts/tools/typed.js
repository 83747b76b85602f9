// A list takes what is typed with Enter alone, and forgets it when the person goes on by Tab or by a click.
// In a form who goes on means what stands there: it is taken as if Enter had been pressed.
const isList = (node) => node instanceof HTMLInputElement && node.getAttribute("role") === "combobox"
  && node.closest('[data-testid="stForm"]') !== null;

export default function (component) {
  const mark = component.parentElement.querySelector("div");
  if (mark.dataset.begun) return;
  mark.dataset.begun = "yes";
  let typed = null;
  const take = () => {
    const field = typed;
    typed = null;
    // Whether the list is open does not matter: who types and goes on at once is faster than it.
    if (!field?.isConnected || !field.value) return;
    field.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", code: "Enter", bubbles: true, cancelable: true}));
  };
  const heard = {
    input: (event) => { if (isList(event.target)) typed = event.target; },
    keydown: (event) => {
      if (event.target !== typed) return;
      if (event.key === "Tab") take();
      else if (event.key === "Enter" || event.key === "Escape") typed = null;
    },
    pointerdown: (event) => {
      if (!typed || event.target === typed) return;
      if (event.target.closest('[role="listbox"]')) typed = null;
      else take();
    },
  };
  const listen = (event) => {
    if (mark.isConnected) heard[event.type](event);
    else Object.keys(heard).forEach((name) => document.removeEventListener(name, listen, true));
  };
  Object.keys(heard).forEach((name) => document.addEventListener(name, listen, true));
}
