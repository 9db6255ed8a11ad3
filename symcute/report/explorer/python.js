// What answers in the documentation: a worker that runs symcute in Python. Its files lie beside the page
// as scripts, which a page from a disk may load too.

const python = { pieces: [], add: (piece) => python.pieces.push(piece) };

const loading = (text, done = null) => {
  $("loading").hidden = text === null;
  if (text === null) return;
  $("stage").textContent = text;
  if (done === null) $("progress").removeAttribute("value");
  else $("progress").value = done;
};

const fetchPieces = async () => {
  const names = SETUP.python.pieces;
  for (const [k, name] of names.entries()) {
    loading(`Loading Python, ${k + 1} of ${names.length}`, k / names.length);
    await new Promise((resolve, reject) => {
      const script = make("script", "", { src: name });
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${name} could not be loaded`));
      document.head.append(script);
    });
  }
};

/** A worker, started and fed; what it is asked is answered in turn, once Python is there. */
const startWorker = () => {
  const address = URL.createObjectURL(new Blob([SETUP.python.worker], { type: "text/javascript" }));
  const worker = new Worker(address);
  const waiting = new Map();
  let count = 0;
  let ended = null;
  const end = (why) => {
    ended = why;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  worker.onerror = (event) => end(event.message || "the worker did not start");
  worker.onmessage = ({ data }) => {
    if (data.stage) return loading(`Python: ${data.stage}`);
    const { resolve, reject } = waiting.get(data.number);
    waiting.delete(data.number);
    if (data.failed) reject(new Error(data.failed));
    else resolve(JSON.parse(data.answer));
  };
  const tell = (message) =>
    new Promise((resolve, reject) => {
      if (ended) throw new Error(ended);
      waiting.set(++count, { resolve, reject });
      worker.postMessage({ number: count, ...message });
    });
  const { files, version } = SETUP.python;
  const ready = tell({ pieces: python.pieces, files, version });
  const ask = (question) => ready.then(() => tell({ question: JSON.stringify(question) }));
  return { ready, ask, end };
};

const serve = async () => {
  const worker = startWorker();
  let stopped = false;
  const halt = () => {
    stopped = true;
    worker.end("Stopped. Python starts again.");
    serve();
  };
  answered({ ask: worker.ask, stop: halt });
  try {
    await worker.ready;
    loading(null);
    document.body.dataset.ready = "yes";
  } catch (error) {
    if (!stopped) failed(error);
  }
};

const failed = (error) => {
  loading(`Python did not start: ${error.message}. A browser of 2023 or later is needed.`, 0);
  $("loading").classList.add("problem");
};

fetchPieces().then(serve, failed);
