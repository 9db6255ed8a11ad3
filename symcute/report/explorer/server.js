// What answers on one's own machine: the server that wrote this page.

const askServer = async (question) => {
  const headers = { "Content-Type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify(question) };
  const response = await fetch("ask", sent).catch(() => {
    throw new Error("symcute explore --serve has ended: start it again");
  });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
};

document.body.dataset.ready = "yes";
answered({ ask: askServer, stop: () => {} });
