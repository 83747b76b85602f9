// Value under the pointer, and the legends of all layers that are seen. Texts are set as text, never as HTML.
(function (map) {
  L.control.scale({imperial: false, position: "bottomright"}).addTo(map);
  L.control.attribution({prefix: false, position: "bottomright"}).addTo(map);
  const box = L.control({position: "bottomleft"});
  const known = new Map();
  let shown = null;
  let names = [];
  let asked = 0;
  let timer = null;
  const part = (name, parent) => L.DomUtil.create("div", "treeline-" + name, parent);
  box.onAdd = () => {
    const root = L.DomUtil.create("div", "treeline-readout");
    L.DomEvent.disableScrollPropagation(root).disableClickPropagation(root);
    box.legends = part("legends", root);
    box.value = part("value", root);
    root.style.display = "none";
    box.root = root;
    return root;
  };
  box.addTo(map);

  // From the uppermost down.
  const visible = () => {
    const found = [];
    map.eachLayer((layer) => {
      const ours = layer._url && layer._url.startsWith(TILES + "/");
      if (ours && layer.options.opacity > 0 && !layer.options.pending) found.push(layer);
    });
    return found.sort((a, b) => b.options.zIndex - a.options.zIndex);
  };
  const split = (layer) => {
    const [path, query] = layer._url.split("?");
    return {base: path.slice(0, path.indexOf("/", TILES.length + 1)), query: query || ""};
  };
  const short = (number) => (Math.abs(number) >= 1000 ? number.toFixed(0) : Number(number.toPrecision(3)).toString());

  // A date is not broken at its hyphens.
  map.writeTitle = (place, title) => {
    place.textContent = "";
    title.split(/(\d{4}-\d{2}-\d{2})/).forEach((words, number) => {
      L.DomUtil.create("span", number % 2 ? "treeline-date" : "", place).textContent = words;
    });
  };
  const paint = (legend) => {
    const root = part("legend", box.legends);
    map.writeTitle(part("title", root), legend.title + (legend.unit ? " [" + legend.unit + "]" : ""));
    if (legend.colours) {
      part("scale", root).style.background = "linear-gradient(to right," + legend.colours.join(",") + ")";
      const ends = part("ends", root);
      for (const end of [legend.low, legend.high]) L.DomUtil.create("span", "", ends).textContent = short(end);
    }
    if (!legend.classes) return;
    const classes = part("classes", root);
    legend.classes.forEach(([value, colour, name]) => {
      const item = L.DomUtil.create("span", "", classes);
      L.DomUtil.create("i", "", item).style.background = colour;
      item.appendChild(document.createTextNode(name || String(value)));
    });
  };
  const legend = (layer) => {
    if (!known.has(layer._url)) {
      const {base, query} = split(layer);
      known.set(layer._url, fetch(base + "/legend.json?" + query)
        .then((answer) => (answer.ok ? answer.json() : null)).catch(() => null));
    }
    return known.get(layer._url);
  };
  // Whoever compares layers says which is which.
  map.legendOf = legend;
  const refresh = () => {
    const layers = visible();
    const addresses = layers.map((layer) => layer._url).join(" ");
    if (addresses === shown) return;
    shown = addresses;
    if (!layers.length) { box.root.style.display = "none"; return; }
    Promise.all(layers.map(legend)).then((legends) => {
      if (shown !== addresses) return;
      box.legends.replaceChildren();
      legends.filter(Boolean).forEach(paint);
      names = legends.map((one) => new Map(((one || {}).classes || []).map(([value, , name]) => [value, name])));
      box.value.textContent = "";
      box.root.style.display = "";
    });
  };
  const ask = (position, uppermost) => {
    const layers = visible();
    // Of layers that are compared, the one that is seen there.
    const place = !uppermost && layers.length > 1 && map.isBelow(position) ? 1 : 0;
    const layer = layers[place];
    if (!layer) return;
    const name = (value) => (names[place] || new Map()).get(value);
    const told = (value) => Number(value.toPrecision(5)) + (name(value) ? " " + name(value) : "");
    const number = ++asked;
    const point = position.wrap();
    const where = point.lat.toFixed(5) + ", " + point.lng.toFixed(5);
    fetch(split(layer).base + "/value?longitude=" + point.lng + "&latitude=" + point.lat)
      .then((answer) => answer.ok ? answer.json() : null)
      .then((found) => {
        if (number !== asked || !found) return;
        const values = found.values.map((v) => (v === null ? "no data" : told(v)));
        box.value.textContent = (found.values.every((v) => v === null) ? "no data" : values.join("  ")) + "   at " + where;
      }).catch(() => {});
  };
  map.on("mousemove treeline-pointed", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => ask(event.latlng, event.type === "treeline-pointed"), 60);
  });
  map.on("layeradd layerremove treeline-shown", () => setTimeout(refresh, 0));
  refresh();
})(MAP);
