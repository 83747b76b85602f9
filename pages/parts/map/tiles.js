// The tiles of a layer that goes stay on the map until those of the layers that came are there.
(function (map) {
  const LONGEST = 6000;
  const remove = L.GridLayer.prototype.onRemove;
  let left = [];
  let timer = null;
  const drop = () => { left.forEach((box) => box.remove()); left = []; };
  const isOurs = (layer) => layer._url && layer._url.startsWith(TILES + "/");
  const wait = (since) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      let loading = false;
      map.eachLayer((layer) => { loading = loading || Boolean(isOurs(layer) && layer.isLoading()); });
      if (loading && Date.now() - since < LONGEST) wait(since);
      else timer = setTimeout(drop, 250);
    }, 60);
  };
  L.GridLayer.prototype.onRemove = function (on) {
    const box = this._container;
    if (on === map && box && isOurs(this) && this.options.opacity > 0) {
      box.style.zIndex = this.options.zIndex - 1;
      left.push(box);
      // The layer lets go of what is on the screen: it takes nothing of it away.
      this._container = L.DomUtil.create("div", "", box.parentNode);
      this._tiles = {};
      wait(Date.now());
    }
    return remove.call(this, on);
  };
  map.on("zoomstart", drop);
})(MAP);
