// Swipe: the uppermost layer ends at a line that is dragged, the layers below it show on the other side.
(function (map) {
  const control = L.control({position: "topleft"});
  const line = L.DomUtil.create("div", "treeline-swipe", map.getContainer());
  line.tabIndex = 0;
  line.setAttribute("role", "slider");
  line.setAttribute("aria-label", "Line between the layers");
  line.setAttribute("aria-valuemin", "0");
  line.setAttribute("aria-valuemax", "100");
  L.DomEvent.disableClickPropagation(line);
  let share = 0.5;
  let on = false;
  const ours = () => {
    const found = [];
    map.eachLayer((layer) => {
      if (layer._url && layer._url.startsWith(TILES + "/") && layer.options.opacity > 0) found.push(layer);
    });
    return found.sort((a, b) => a.options.zIndex - b.options.zIndex);
  };
  const clip = () => {
    const layers = ours();
    const size = map.getSize();
    const corner = map.containerPointToLayerPoint([0, 0]);
    const x = corner.x + size.x * share;
    layers.forEach((layer, place) => {
      const box = layer.getContainer();
      if (!box) return;
      const right = corner.x + size.x;
      const bottom = corner.y + size.y;
      box.style.clip = on && place === layers.length - 1
        ? "rect(" + corner.y + "px," + right + "px," + bottom + "px," + x + "px)" : "";
    });
    line.style.left = size.x * share + "px";
    line.style.display = on ? "block" : "none";
    line.setAttribute("aria-valuenow", Math.round(100 * share));
    control.button.classList.toggle("treeline-on", on);
    control.bar.style.display = layers.length > 1 || on ? "" : "none";
  };
  const move = (to) => { share = Math.min(1, Math.max(0, to)); clip(); };
  control.onAdd = () => {
    control.bar = L.DomUtil.create("div", "leaflet-bar");
    L.DomEvent.disableClickPropagation(control.bar);
    const button = control.button = L.DomUtil.create("a", "treeline-draw", control.bar);
    button.href = "#";
    button.title = "Swipe between the uppermost layer and those below it";
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", button.title);
    button.innerHTML = '<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" '
      + 'stroke-width="1.5" aria-hidden="true"><path d="M8 2V14M5 5 2 8 5 11M11 5 14 8 11 11"/></svg>';
    L.DomEvent.on(button, "click", L.DomEvent.stop).on(button, "click", () => { on = !on; clip(); });
    return control.bar;
  };
  control.addTo(map);
  line.addEventListener("pointerdown", (event) => { line.setPointerCapture(event.pointerId); event.preventDefault(); });
  line.addEventListener("pointermove", (event) => {
    if (line.hasPointerCapture(event.pointerId)) move(map.mouseEventToContainerPoint(event).x / map.getSize().x);
  });
  line.addEventListener("keydown", (event) => {
    const by = {ArrowLeft: -0.02, ArrowRight: 0.02}[event.key];
    if (by) { event.preventDefault(); event.stopPropagation(); move(share + by); }
  });
  map.on("move zoomend resize", clip);
  map.on("layeradd layerremove", () => setTimeout(clip, 0));
  clip();
})(MAP);
