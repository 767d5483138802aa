// Opens the page again once the service responds.
const EVERY_MS = 5000;

const tryAgain = async () => {
  try {
    await fetch(window.location.href, { method: "HEAD", cache: "no-store" });
    window.location.reload();
  } catch {
    // Still not connected; the next try follows.
  }
};

window.addEventListener("online", () => void tryAgain());
document.getElementById("again").addEventListener("click", () => window.location.reload());
window.setInterval(() => void tryAgain(), EVERY_MS);
