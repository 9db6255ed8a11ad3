// symcute in a worker of the page, run by Pyodide: told its files once, then one question at a time.

let answer = null;

const unpacked = async (pieces) => {
  const packed = pieces.map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
  const stream = new Blob(packed).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

const start = async ({ pieces, files, version }) => {
  const stage = (text) => postMessage({ stage: text });
  stage("unpacking");
  const bytes = await unpacked(pieces);
  const part = (name) => bytes.subarray(...files[name]);
  const address = (name, type) => URL.createObjectURL(new Blob([part(name)], { type }));
  stage("starting Python");
  // Pyodide asks for its files by name: they are at hand, and nothing else is ever fetched.
  self.fetch = async (url) => {
    const name = String(url).split("/").pop();
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    if (!(name in files)) throw new Error(`${name} is not among the files of this page`);
    return new Response(part(name), { headers: { "Content-Type": type } });
  };
  // It refuses workers that are not modules, which a page from a disk cannot have; it needs none.
  self.importScripts = undefined;
  const { loadPyodide } = await import(address("pyodide.mjs", "text/javascript"));
  const { default: createPyodideModule } = await import(address("pyodide.asm.mjs", "text/javascript"));
  const lockFileContents = { info: version, packages: {} };
  const python = await loadPyodide({ indexURL: "https://files.invalid/", createPyodideModule, lockFileContents });
  stage("loading symcute");
  python.unpackArchive(part("symcute.zip"), "zip");
  answer = python.pyimport("symcute.report.explorer.answers").answer_text;
  return "true";
};

self.onmessage = async ({ data }) => {
  try {
    const said = data.files ? await start(data) : answer(data.question);
    postMessage({ number: data.number, answer: said });
  } catch (error) {
    postMessage({ number: data.number, failed: String(error.message ?? error).trim().split("\n").pop() });
  }
};
