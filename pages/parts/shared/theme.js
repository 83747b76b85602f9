// Charts have the colours of one theme: when it changes, the page is drawn anew.
export default function ({parentElement, setTriggerValue}) {
  const mark = parentElement.querySelector("div");
  if (mark.dataset.begun) return;
  mark.dataset.begun = "yes";
  const app = document.querySelector(".stApp");
  const scheme = () => getComputedStyle(app).colorScheme;
  let seen = scheme();
  const watch = new MutationObserver(() => {
    if (!mark.isConnected) return watch.disconnect();
    if (scheme() === seen) return;
    seen = scheme();
    setTriggerValue("changed", seen);
  });
  watch.observe(app, {attributes: true, attributeFilter: ["class"]});
}
