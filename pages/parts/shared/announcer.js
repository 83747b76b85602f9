// A region that stays while its text changes, which is what screen readers listen to.
const PATIENCE = 100;

// The keyboard begins in a field, unless a person is somewhere already or would see a keyboard come up.
function beginAt(name, tries) {
  if (document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return;
  const field = document.querySelector(`input[aria-label="${CSS.escape(name)}"]:not(:disabled)`);
  if (field) field.focus({preventScroll: true});
  else if (tries > 0) requestAnimationFrame(() => beginAt(name, tries - 1));
}

export default function (component) {
  const {parentElement, data} = component;
  const region = parentElement.querySelector("div");
  // Streamlit takes these away from the component's own text.
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  if (region.textContent !== data.text) region.textContent = data.text;
  if (data.begin_at && !region.dataset.begun) {
    region.dataset.begun = "yes";
    beginAt(data.begin_at, PATIENCE);
  }
}
