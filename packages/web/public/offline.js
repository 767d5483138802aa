// Says in the language of the reader that the service cannot be reached, and opens the page again once it responds.
const EVERY_MS = 5000;

// The catalogues are files of the service, which cannot be asked for now.
const TEXTS = {
  de: {
    title: "Nicht verbunden · Curtail",
    head: "Der Dienst ist nicht erreichbar",
    why: "Entweder ist dieses Gerät offline oder der Dienst ist ausgefallen. Daten werden nicht angezeigt, weil sie veraltet sein könnten. Läuft gerade ein Abruf, stimmen Sie sich telefonisch ab.",
    again: "Erneut versuchen",
    state: "Die Seite öffnet sich von selbst, sobald der Dienst antwortet.",
  },
  es: {
    title: "Sin conexión · Curtail",
    head: "No se puede acceder al servicio",
    why: "Este dispositivo no tiene conexión o el servicio no funciona. No se muestran datos porque podrían no estar actualizados. Si hay una activación en curso, acuérdela por teléfono.",
    again: "Reintentar",
    state: "La página se abre sola cuando el servicio responde.",
  },
  fr: {
    title: "Non connecté · Curtail",
    head: "Le service est injoignable",
    why: "Cet appareil est hors ligne ou le service est en panne. Aucune donnée n’est affichée, car elle pourrait être périmée. Si une activation est en cours, convenez-en par téléphone.",
    again: "Réessayer",
    state: "La page s’ouvre d’elle-même dès que le service répond.",
  },
};

// A copy of how the service chooses: what the reader chose, or the first language of the browser that is one of ours.
const language = () => {
  const [, chosen] = /(?:^|; )language=(en|es|de|fr)(?:;|$)/.exec(document.cookie) ?? [];
  const asked = navigator.languages.map((each) => each.slice(0, 2).toLowerCase());
  return chosen ?? asked.find((each) => each === "en" || each in TEXTS) ?? "en";
};

const say = (chosen) => {
  const texts = TEXTS[chosen];
  if (texts === undefined) return;
  document.documentElement.lang = chosen;
  document.title = texts.title;
  for (const id of ["head", "why", "again", "state"]) document.getElementById(id).textContent = texts[id];
};

const tryAgain = async () => {
  try {
    await fetch(window.location.href, { method: "HEAD", cache: "no-store" });
    window.location.reload();
  } catch {
    // Still not connected; the next try follows.
  }
};

say(language());
window.addEventListener("online", () => void tryAgain());
document.getElementById("again").addEventListener("click", () => window.location.reload());
window.setInterval(() => void tryAgain(), EVERY_MS);
