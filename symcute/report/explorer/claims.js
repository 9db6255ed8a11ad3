// The claim box: a claim is sent to the prover when it is asked for, not with every key.

const CHECKED = {
  checked: "The certificate was checked again in this page, by the checker, with arithmetic alone:",
  trusted: "The checker accepts the certificate, if what it rests on can be relied on:",
  vacuous: "No instance meets the assumptions: the certificate says nothing.",
  rejected: "The checker rejects the certificate; please report this:",
};

let deciding = false;

const decide = async () => {
  if (!state.claim.trim() || deciding) return;
  deciding = true;
  const asked = { claim: state.claim, given: state.given };
  $("prove").hidden = true;
  $("stop").hidden = false;
  $("verdict").replaceChildren(make("p", "Deciding …", { class: "hint" }));
  try {
    const answer = await ask({ ask: "prove", ...asked });
    showVerdict(answer);
    if (answer.suggest) await suggest(asked);
  } catch (error) {
    $("verdict").replaceChildren(make("p", error.message, { class: "problem" }));
  } finally {
    deciding = false;
    $("prove").hidden = false;
    $("stop").hidden = true;
  }
};

const showVerdict = (answer) => {
  $("verdict").replaceChildren();
  $("claim-problem").textContent = answer.problem ?? "";
  $("claim").setAttribute("aria-invalid", String(Boolean(answer.problem)));
  if (answer.problem) return;
  const told = make("div", "");
  told.innerHTML = answer.html;
  $("verdict").append(told);
  $("verdict").dataset.status = answer.status;
  if (!answer.certificate) return;
  const details = make("details", "");
  const checked = make("p", "", { class: `check ${answer.checked}` });
  checked.append(make("b", answer.checked), ` ${CHECKED[answer.checked]} `);
  checked.append(make("code", answer.statement || answer.because));
  details.append(make("summary", "The certificate, as JSON"), make("pre", answer.certificate));
  $("verdict").append(checked, details);
};

const suggest = async (asked) => {
  const hint = make("p", "Looking for what would have to be assumed …", { class: "hint" });
  $("verdict").append(hint);
  const { assumption } = await ask({ ask: "suggest", ...asked });
  if (!assumption) {
    hint.textContent = "No assumption was found under which it is proved.";
    return;
  }
  hint.replaceChildren("Holds if ", make("code", assumption), " ");
  const button = make("button", "assume it", { type: "button" });
  button.addEventListener("click", () => {
    write("given", [state.given.trim(), assumption].filter(Boolean).join("; "));
    decide();
  });
  hint.append(button);
};

const connectClaims = () => {
  $("claims").addEventListener("submit", (event) => {
    event.preventDefault();
    decide();
  });
  $("stop").addEventListener("click", () => stop());
  $("claim").addEventListener("input", () => {
    state.claim = $("claim").value;
    $("verdict").replaceChildren();
    $("claim-problem").textContent = "";
    toAddressSoon();
  });
  for (const button of document.querySelectorAll("[data-claim]"))
    button.addEventListener("click", () => {
      write("claim", button.dataset.claim.replace("LAYOUT", () => state.layout.trim()));
      decide();
    });
  $("example").addEventListener("change", () => {
    const example = SETUP.choices.examples[$("example").selectedIndex - 1];
    if (!example) return;
    for (const name of TEXTS) state[name] = example[name] ?? "";
    state.view = example.view ?? "offsets";
    state.bits = example.bits ?? "32";
    state.dims = { ...example.dims };
    fillAll();
    draw();
    $("verdict").replaceChildren();
    decide();
  });
};
