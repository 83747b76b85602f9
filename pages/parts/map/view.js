// Where the map is, which the address of the page keeps: a reload or a link shows the same place.
(function (map) {
  const page = window.parent;
  const address = () => new URL(page.location.href);
  const asked = () => {
    const [latitude, longitude, zoom] = (address().searchParams.get("view") || "").split(",").map(Number);
    if (![latitude, longitude, zoom].every(Number.isFinite)) return null;
    // That of another workspace shows nothing here.
    return L.latLngBounds(HOME).pad(1).contains([latitude, longitude]) ? [[latitude, longitude], zoom] : null;
  };
  const put = (view) => {
    const where = address();
    where.searchParams.set("view", view);
    page.history.replaceState(page.history.state, "", where);
  };
  let kept = address().searchParams.get("view");
  const keep = () => {
    const {lat, lng} = map.getCenter();
    kept = [lat.toFixed(5), lng.toFixed(5), map.getZoom().toFixed(2)].join(",");
    put(kept);
  };
  // An address that comes from the server is without it, or has a former one.
  setInterval(() => kept && address().searchParams.get("view") !== kept && put(kept), 300);
  const view = asked();
  // Only here is the size known: a low window makes the map lower.
  if (view) map.setView(...view, {animate: false});
  else if (map.getSize().y > 100) map.fitBounds(HOME, {animate: false, padding: [6, 6]});
  // What is taken away is what is seen: the page is told of it once the map is left, not at each move.
  let told = kept;
  const tell = () => {
    if (kept === told) return;
    told = kept;
    const feature = {type: "Feature", properties: {view: kept}, geometry: null};
    map.fire("draw:created", {layerType: "view", layer: {toGeoJSON: () => feature}});
  };
  for (const left of ["mouseleave", "focusout"]) {
    map.getContainer().addEventListener(left, () => setTimeout(tell, 350));
  }
  let timer = null;
  const later = () => { clearTimeout(timer); timer = setTimeout(keep, 300); };
  // What the page itself sets when it opens is no choice of a person.
  setTimeout(() => map.on("moveend", later), 1500);
  // A label is placed by its width, which a style that comes after it changes.
  document.addEventListener("load", ({target}) => {
    if (target.tagName !== "LINK") return;
    map.eachLayer((layer) => layer.getTooltip && layer.getTooltip() && layer.getTooltip().update());
  }, true);
})(MAP);
