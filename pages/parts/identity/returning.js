// The address stays in this tab, which goes to the provider and comes back.
const KEPT = "treeline-link";

export default function (component) {
  // Two slashes would begin the address of another server.
  const here = location.pathname.replace(/^\/+/, "/") + location.search;
  try {
    if (!component.data.signed_in) {
      const first = new URL(window.__streamlit.BACKEND_BASE_URL).pathname;
      if (location.search || location.pathname !== first) sessionStorage.setItem(KEPT, here);
      return;
    }
    const wanted = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    if (wanted && wanted !== here && !location.search.includes("run=")) location.replace(wanted);
  } catch { /* a browser that keeps nothing */ }
}
