// Two ways to compare the uppermost layer with those below it: swipe, where it ends at a line that is dragged,
// and side by side, where it is alone on a second map that moves with the first.
(function (map) {
  const line = L.DomUtil.create("div", "treeline-swipe", map.getContainer());
  line.tabIndex = 0;
  line.setAttribute("role", "slider");
  line.setAttribute("aria-label", "Line between the layers");
  line.setAttribute("aria-valuemin", "0");
  line.setAttribute("aria-valuemax", "100");
  L.DomEvent.disableClickPropagation(line);
  // What is called by name on either side of the line.
  const sides = ["left", "right"].map(() => L.DomUtil.create("div", "treeline-side", map.getContainer()));
  const [MARGIN, TOOLS, NARROWEST] = [8, 52, 60];
  let share = 0.5;
  let way = null;
  let second = null;
  let copies = [];
  let before = null;
  const ours = () => {
    const found = [];
    map.eachLayer((layer) => {
      if (layer._url && layer._url.startsWith(TILES + "/") && layer.options.opacity > 0) found.push(layer);
    });
    return found.sort((a, b) => a.options.zIndex - b.options.zIndex);
  };
  // What stands on the left is the layer below; the readout asks.
  map.isBelow = (position) => way === "beside" || (way === "swipe"
    && map.latLngToContainerPoint(position).x < map.getSize().x * share);
  const clip = (layers) => {
    const size = map.getSize();
    const corner = map.containerPointToLayerPoint([0, 0]);
    // All of the uppermost layer is on the second map.
    const x = corner.x + size.x * (way === "beside" ? 1 : share);
    layers.forEach((layer, place) => {
      const box = layer.getContainer();
      if (!box) return;
      const right = corner.x + size.x;
      const bottom = corner.y + size.y;
      box.style.clip = way && place === layers.length - 1
        ? "rect(" + corner.y + "px," + right + "px," + bottom + "px," + x + "px)" : "";
    });
    line.style.left = size.x * share + "px";
    line.style.display = way === "swipe" ? "block" : "none";
    line.setAttribute("aria-valuenow", Math.round(100 * share));
  };
  // A name stands between the tools of its side and the line, where there is room for it.
  const name = (layers) => {
    const width = map.getSize().x;
    const line = way === "beside" ? width : width * share;
    const rooms = [line - TOOLS - MARGIN - (way === "beside" ? TOOLS : 0), width - line - TOOLS - MARGIN];
    const [upper, lower] = layers.slice(-2).reverse();
    (second ? second : map).getContainer().appendChild(sides[1]);
    if (second) rooms[1] = width - 2 * MARGIN;
    [lower, upper].forEach((layer, place) => {
      const side = sides[place];
      side.style.display = way && layer && rooms[place] >= NARROWEST ? "block" : "none";
      side.style.maxWidth = rooms[place] + "px";
      if (!layer) return;
      map.legendOf(layer).then((legend) => { map.writeTitle(side, (legend || {}).title || ""); });
    });
    sides[0].style.right = (way === "beside" ? TOOLS : width - line + MARGIN) + "px";
    sides[1].style.left = (second ? MARGIN : line + MARGIN) + "px";
  };
  const copy = (layer) => {
    if (layer._url) return L.tileLayer(layer._url, {...layer.options});
    if (!(layer instanceof L.Path) || !layer.options.className && !layer.options.radius) return null;
    const place = layer.getLatLngs ? layer.getLatLngs() : layer.getLatLng();
    return new layer.constructor(place, {...layer.options, interactive: false});
  };
  // The uppermost layer with what lies below all of ours, and with outlines and points.
  const fill = (layers) => {
    const shown = [layers[layers.length - 1]];
    map.eachLayer((layer) => {
      if (layer._url ? !layer._url.startsWith(TILES + "/") : layer instanceof L.Path) shown.push(layer);
    });
    const former = copies;
    copies = shown.filter(Boolean).map(copy).filter(Boolean);
    copies.forEach((layer) => layer.addTo(second));
    setTimeout(() => former.forEach((layer) => layer.remove()), 250);
  };
  // Whichever of the two is moved takes the other with it, which must not take it back.
  let moving = false;
  const take = (one, other) => {
    if (!other || moving) return;
    moving = true;
    other.setView(one.getCenter(), one.getZoom(), {animate: false});
    moving = false;
  };
  const open = () => {
    before = {centre: map.getCenter(), zoom: map.getZoom()};
    const home = L.latLngBounds(HOME);
    const seen = map.getBounds();
    document.body.classList.add("treeline-beside");
    map.invalidateSize({animate: false});
    // Half as wide, the map still shows of the data what it showed.
    const [west, east] = [Math.max(seen.getWest(), home.getWest()), Math.min(seen.getEast(), home.getEast())];
    const [south, north] = [Math.max(seen.getSouth(), home.getSouth()), Math.min(seen.getNorth(), home.getNorth())];
    if (west < east && south < north) map.fitBounds([[south, west], [north, east]], {animate: false, padding: [6, 6]});
    before.opened = map.getZoom();
    const box = L.DomUtil.create("div", "treeline-second", document.body);
    second = L.map(box, {zoomControl: false, attributionControl: false, zoomSnap: 0.25, maxZoom: map.getMaxZoom(),
      zoomAnimation: false, inertia: false});
    map.beside = second;
    take(map, second);
    second.on("move zoomend", () => take(second, map));
    second.on("click", (event) => map.fire("click", {latlng: event.latlng}));
    second.on("mousemove", (event) => map.fire("treeline-pointed", {latlng: event.latlng}));
  };
  const close = () => {
    const box = second.getContainer();
    second.remove();
    box.remove();
    second = map.beside = null;
    copies = [];
    document.body.classList.remove("treeline-beside");
    map.invalidateSize({animate: false});
    if (map.getZoom() === before.opened) map.setView(before.centre, before.zoom, {animate: false});
  };
  const draw = () => {
    const layers = ours();
    clip(layers);
    control.bar.style.display = layers.length > 1 || way ? "" : "none";
    Object.entries(control.buttons).forEach(([which, button]) => {
      button.classList.toggle("treeline-on", way === which);
      button.setAttribute("aria-pressed", way === which);
    });
    name(layers);
    return layers;
  };
  const choose = (which) => {
    if (second) close();
    way = way === which ? null : which;
    if (way === "beside") open();
    const layers = draw();
    if (second) fill(layers);
  };
  const move = (to) => { share = Math.min(1, Math.max(0, to)); draw(); };
  const control = L.control({position: "topright"});
  const ways = {
    swipe: ["Swipe between the uppermost layer and those below it", "M8 2V14M5 5 2 8 5 11M11 5 14 8 11 11"],
    beside: ["The uppermost layer and those below it side by side", "M2 3H7V13H2ZM9 3H14V13H9Z"],
  };
  control.onAdd = () => {
    control.bar = L.DomUtil.create("div", "leaflet-bar");
    L.DomEvent.disableClickPropagation(control.bar);
    control.buttons = {};
    Object.entries(ways).forEach(([name, [title, path]]) => {
      const button = control.buttons[name] = L.DomUtil.create("a", "treeline-draw", control.bar);
      button.href = "#";
      button.title = title;
      button.setAttribute("role", "button");
      button.setAttribute("aria-label", title);
      button.innerHTML = '<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" '
        + 'stroke-width="1.5" aria-hidden="true"><path d="' + path + '"/></svg>';
      L.DomEvent.on(button, "click", L.DomEvent.stop).on(button, "click", () => choose(name));
    });
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
  map.on("move zoomend resize", () => { draw(); take(map, second); });
  let timer = null;
  map.on("layeradd layerremove treeline-shown", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const layers = draw();
      if (second) fill(layers);
    }, 0);
  });
  draw();
})(MAP);
