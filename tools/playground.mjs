// node playground.mjs PACKAGE FOLDER: compiles what a page loads of the standard library and of symcute.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
const [packaged, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${packaged}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${packaged}/` });
const bytes = (path) => new Uint8Array(fs.readFileSync(path));
const symcute = bytes(`${folder}/symcute.zip`);
python.unpackArchive(symcute, "zip");
python.FS.writeFile("/tmp/symcute.zip", symcute);
python.FS.writeFile("/tmp/python_stdlib.zip", bytes(`${packaged}/python_stdlib.zip`));
python.runPython(`
import importlib.util, json, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

# All that a page does, so that every module it needs is loaded.
from symcute.report.explorer.answers import answer_text
for question in (
    {"ask": "draw", "layout": "(M,N):(LD,1)", "tile": "(2,4)", "with": "2"},
    {"ask": "draw", "layout": "SM80_16x8x16_F32F16F16F32_TN"},
    {"ask": "prove", "claim": "injective((M,N):(LD,1))", "given": "LD >= N"},
    {"ask": "prove", "claim": "injective((M,N):(LD,1))"},
    {"ask": "suggest", "claim": "injective((M,N):(LD,1))"},
):
    told = json.loads(answer_text(json.dumps(question)))
    if "problem" in told or told.get("problems"):
        raise SystemExit(str(told))
loaded = {name.replace(".", "/") for name in sys.modules}

def compiled(name):
    with zipfile.ZipFile(f"/tmp/{name}") as source, zipfile.ZipFile(f"/tmp/compiled-{name}", "w") as out:
        for entry in source.infolist():
            data, stem = source.read(entry), entry.filename.removesuffix(".py")
            if stem != entry.filename and stem.removesuffix("/__init__") in loaded:
                code = compile(data, entry.filename, "exec", dont_inherit=True)
                data = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(data), False))
                entry.filename += "c"
            out.writestr(zipfile.ZipInfo(entry.filename), data)

compiled("python_stdlib.zip")
compiled("symcute.zip")
`);
for (const name of ["python_stdlib.zip", "symcute.zip"])
  fs.writeFileSync(`${folder}/compiled-${name}`, python.FS.readFile(`/tmp/compiled-${name}`));
