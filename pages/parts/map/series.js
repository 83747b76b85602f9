// A slider over the dates of the uppermost layer's collection, with play. A date stays until the next has come.
(function (map) {
  const control = L.control({position: "bottomleft"});
  // Milliseconds that a date stays, and that all of them take at most, as far as the eye can follow.
  const [STEP, WHOLE, SHORTEST] = [900, 30000, 200];
  let origin = null;
  let shown = null;
  let timer = null;
  let opacity = 1;
  control.onAdd = () => {
    const root = L.DomUtil.create("div", "treeline-series");
    L.DomEvent.disableClickPropagation(root).disableScrollPropagation(root);
    control.play = L.DomUtil.create("button", "", root);
    control.play.type = "button";
    control.slider = L.DomUtil.create("input", "", root);
    Object.assign(control.slider, {type: "range", min: 0, step: 1});
    control.slider.setAttribute("aria-label", "Date on the map");
    control.date = L.DomUtil.create("output", "", root);
    root.style.display = "none";
    control.root = root;
    return root;
  };
  control.addTo(map);
  const label = (playing) => {
    control.play.textContent = playing ? "\u275a\u275a" : "\u25b6";
    control.play.setAttribute("aria-label", playing ? "Pause" : "Play the dates");
  };
  const pause = () => {
    clearTimeout(timer);
    timer = null;
    label(false);
  };
  // The page is told where the slider was left, so that chart, list and address follow it.
  const tell = () => {
    const [date] = origin.options.series[Number(control.slider.value)];
    const feature = {type: "Feature", properties: {drawn: Date.now(), date: date}, geometry: null};
    map.fire("draw:created", {layerType: "date", layer: {toGeoJSON: () => feature}});
  };
  const drop = (layer) => { if (layer && layer !== origin && map.hasLayer(layer)) layer.remove(); };
  const say = (place) => {
    const date = origin.options.series[place][0];
    control.slider.value = place;
    control.date.textContent = date;
    control.slider.setAttribute("aria-valuetext", date);
  };
  const go = (place, done) => {
    const [, address] = origin.options.series[place];
    const former = shown;
    say(place);
    const {series, start, ...options} = origin.options;
    const next = L.tileLayer(address, {...options, opacity: opacity, zIndex: options.zIndex + 1, pending: true});
    shown = next;
    const finish = () => {
      if (shown !== next) { drop(next); return; }
      drop(former);
      origin.setOpacity(0);
      next.options.pending = false;
      map.fire("treeline-shown");
      if (done) done();
    };
    next.once("load", () => setTimeout(finish, 60));
    next.addTo(map);
  };
  const following = () => (Number(control.slider.value) + 1) % origin.options.series.length;
  const pace = () => Math.max(SHORTEST, Math.min(STEP, WHOLE / origin.options.series.length));
  // The browser keeps the tiles of the date that comes while this one stays.
  const fetchAhead = () => {
    const [, address] = origin.options.series[following()];
    Object.values(shown._tiles).forEach(({coords}) => { new Image().src = L.Util.template(address, coords); });
  };
  const onwards = () => {
    if (!origin) return;
    go(following(), () => {
      if (!timer) return;
      fetchAhead();
      timer = setTimeout(onwards, pace());
    });
  };
  const take = (layer) => {
    pause();
    drop(shown);
    origin = shown = layer;
    opacity = layer.options.opacity;
    control.slider.max = layer.options.series.length - 1;
    say(layer.options.start);
    control.root.style.display = "";
  };
  const leave = () => {
    pause();
    drop(shown);
    origin = shown = null;
    control.root.style.display = "none";
  };
  L.DomEvent.on(control.play, "click", () => {
    if (timer) { pause(); tell(); return; }
    timer = setTimeout(onwards, 0);
    label(true);
  });
  L.DomEvent.on(control.slider, "input", () => { pause(); go(Number(control.slider.value)); });
  L.DomEvent.on(control.slider, "change", tell);
  label(false);
  map.on("layeradd", (event) => { if (event.layer.options && event.layer.options.series) take(event.layer); });
  map.on("layerremove", (event) => { if (event.layer === origin) leave(); });
  map.eachLayer((layer) => { if (layer.options && layer.options.series) take(layer); });
})(MAP);
