// A page that is read from disk may start no worker; the search gets a hidden frame in its place.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html><title>search</title>";
      this.ready = new Promise((resolve) => {
        this.frame.onload = () => {
          const inner = this.frame.contentWindow;
          inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          const script = inner.document.createElement("script");
          script.src = new URL(url, location.href);
          script.onload = () => resolve(inner);
          inner.document.body.append(script);
        };
      });
      document.body.append(this.frame);
    }

    async postMessage(data) {
      const inner = await this.ready;
      // Each message in a turn of its own, as workers get theirs.
      setTimeout(() => inner.dispatchEvent(new inner.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
