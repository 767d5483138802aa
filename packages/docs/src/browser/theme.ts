/** The same choice as in the pages of the service, which are on the same host. */
export const offerThemes = (): void => {
  const select = document.querySelector<HTMLSelectElement>("#theme");
  if (select === null) return;
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") select.value = chosen;
  select.addEventListener("change", () => choose(select.value));
  select.parentElement?.removeAttribute("hidden");
};

const choose = (theme: string): void => {
  localStorage.setItem("theme", theme);
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};
