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

/** A worker, started and fed; what it is asked is answered in turn. */
const startWorker = () => {
  const address = URL.createObjectURL(new Blob([SETUP.python.worker], { type: "text/javascript" }));
  const worker = new Worker(address);
  const waiting = new Map();
  let count = 0;
  const end = (why) => {
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  };
  const ready = new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
    worker.onmessage = ({ data }) => {
      if (data.stage) loading(`Python: ${data.stage}`);
      else if (data.ready) resolve();
      else if (!waiting.has(data.number)) reject(new Error(data.failed));
      else {
        const { resolve: good, reject: bad } = waiting.get(data.number);
        waiting.delete(data.number);
        if (data.failed) bad(new Error(data.failed));
        else good(JSON.parse(data.answer));
      }
    };
    const { files, version } = SETUP.python;
    worker.postMessage({ pieces: python.pieces, files, version });
  });
  const ask = (question) =>
    new Promise((resolve, reject) => {
      waiting.set(++count, { resolve, reject });
      worker.postMessage({ number: count, question: JSON.stringify(question) });
    });
  return { ready, ask, end };
};

const serve = async () => {
  try {
    const worker = startWorker();
    const halt = () => {
      worker.end("Stopped. Python starts again.");
      serve();
    };
    await worker.ready;
    loading(null);
    document.body.dataset.ready = "yes";
    answered({ ask: worker.ask, stop: halt });
  } catch (error) {
    failed(error);
  }
};

const failed = (error) => {
  loading(`Python did not start: ${error.message}. A browser of 2023 or later is needed.`, 0);
  $("loading").classList.add("problem");
};

fetchPieces().then(serve, failed);
