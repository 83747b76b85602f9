// A region that stays while its text changes, which is what screen readers listen to.
const PATIENCE = 100;

const fieldOf = (name) => document.querySelector(`input[aria-label="${CSS.escape(name)}"]:not(:disabled)`);

// A person who types goes on from what was asked; only what was changed since is theirs.
function selectWritten(name, written) {
  const field = document.activeElement;
  if (field && field === fieldOf(name) && written && field.value === written) field.select();
}

// The keyboard begins in a field, unless a person is somewhere already or would see a keyboard come up.
function beginAt(name, tries) {
  if (document.activeElement !== document.body || matchMedia("(pointer: coarse)").matches) return;
  const field = fieldOf(name);
  if (field) field.focus({preventScroll: true});
  else if (tries > 0) requestAnimationFrame(() => beginAt(name, tries - 1));
}

// A button that is off while its file is made loses the focus to the page, from where no key reaches the dialog.
function closeDialog(event) {
  if (event.key !== "Escape" || document.activeElement !== document.body) return;
  const dialog = document.querySelector('[role="dialog"]');
  if (!dialog) return;
  dialog.focus();
  dialog.dispatchEvent(new KeyboardEvent("keydown", {key: event.key, bubbles: true, cancelable: true}));
}

export default function (component) {
  const {parentElement, data} = component;
  const region = parentElement.querySelector("div");
  // Streamlit takes these away from the component's own text.
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  // What was asked may come to the page before what is told of it, or after.
  const changed = region.textContent !== data.text || region.dataset.written !== data.written;
  if (region.textContent !== data.text) region.textContent = data.text;
  if (changed && data.begin_at) selectWritten(data.begin_at, data.written);
  region.dataset.written = data.written;
  if (data.begin_at && !region.dataset.begun) {
    region.dataset.begun = "yes";
    document.addEventListener("keydown", function listen(event) {
      if (region.isConnected) closeDialog(event);
      else document.removeEventListener("keydown", listen);
    });
    // The first click after a question was asked; a second one puts the cursor where it is.
    document.addEventListener("click", function listen(event) {
      if (!region.isConnected) return document.removeEventListener("click", listen);
      const {written, clicked} = region.dataset;
      if (event.target !== fieldOf(data.begin_at) || clicked === written) return;
      region.dataset.clicked = written;
      setTimeout(() => selectWritten(data.begin_at, written));
    });
    beginAt(data.begin_at, PATIENCE);
  }
}
