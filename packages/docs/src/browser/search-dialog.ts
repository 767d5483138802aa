import type { Finder, Found } from "./finder.js";

/** Opens with its button, Ctrl-K or `/`. The texts are loaded when it first opens. */
export const offerSearch = (): void => {
  const button = document.querySelector<HTMLButtonElement>("#search-button");
  if (button === null) return;
  const dialog = newDialog();
  button.hidden = false;
  button.addEventListener("click", () => dialog.open());
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
    const isAsked = (event.key === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "/" && !isTyping);
    if (!isAsked) return;
    event.preventDefault();
    dialog.open();
  });
};

const MARKUP = `
<form method="dialog">
<label for="query">Search the documentation</label>
<input id="query" type="search" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list"
  autocomplete="off" spellcheck="false" placeholder="baseline, webhook signature, 429…">
<button type="submit">Close</button>
</form>
<p id="search-state" role="status"></p>
<div id="found" role="listbox" aria-label="Results"></div>`;

const newDialog = () => {
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", "Search");
  dialog.innerHTML = MARKUP;
  document.body.append(dialog);
  const parts = {
    dialog,
    input: part(dialog, "#query", HTMLInputElement),
    state: part(dialog, "#search-state", HTMLElement),
    list: part(dialog, "#found", HTMLElement),
  };
  let finder: Promise<Finder> | undefined;
  const search = async (): Promise<void> => {
    try {
      show(parts, (await (finder ??= load()))(parts.input.value));
    } catch {
      finder = undefined;
      parts.state.textContent = "The search could not be loaded. Check the connection and type again.";
    }
  };
  parts.input.addEventListener("input", () => void search());
  parts.input.addEventListener("keydown", (event) => choose(parts, event));
  // A click outside of the dialog closes it.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  return {
    open: () => {
      if (!dialog.open) dialog.showModal();
      parts.input.select();
      void search();
    },
  };
};

interface Parts {
  readonly dialog: HTMLDialogElement;
  readonly input: HTMLInputElement;
  readonly state: HTMLElement;
  readonly list: HTMLElement;
}

const part = <T extends HTMLElement>(dialog: Element, selector: string, type: new () => T): T => {
  const found = dialog.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the dialog has no ${selector}`);
  return found;
};

const load = async (): Promise<Finder> => {
  const [{ newFinder }, response] = await Promise.all([
    import("./finder.js"),
    fetch(document.body.dataset["search"] ?? ""),
  ]);
  if (!response.ok) throw new Error(`the texts are ${response.status}`);
  return newFinder(await response.json());
};

const show = ({ input, state, list }: Parts, found: readonly Found[]): void => {
  list.replaceChildren(...found.map(option));
  const isEmpty = input.value.trim() === "";
  state.textContent = isEmpty ? "" : resultWords(found.length);
  input.setAttribute("aria-expanded", String(found.length > 0));
  mark(input, list, found.length > 0 ? 0 : -1);
};

const resultWords = (count: number): string => {
  if (count === 0) return "No results.";
  return count === 1 ? "1 result" : `${count} results`;
};

const option = ({ at, page, heading, excerpt }: Found, index: number): HTMLElement => {
  const link = document.createElement("a");
  link.href = (document.body.dataset["root"] ?? "") + at;
  link.id = `found-${index}`;
  link.setAttribute("role", "option");
  link.tabIndex = -1;
  link.append(
    words("b", heading),
    words("span", page.endsWith(heading) ? page.slice(0, -heading.length).replace(/: $/, "") : page),
    ...excerptOf(excerpt),
  );
  return link;
};

const words = (tag: string, text: string): HTMLElement => {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
};

const excerptOf = (excerpt: Found["excerpt"]): HTMLElement[] => {
  const line = document.createElement("p");
  for (const { text, isHit } of excerpt) line.append(isHit ? words("mark", text) : text);
  return excerpt.length === 0 ? [] : [line];
};

const mark = (input: HTMLElement, list: HTMLElement, at: number): void => {
  for (const [index, each] of [...list.children].entries()) each.setAttribute("aria-selected", String(index === at));
  if (at === -1) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `found-${at}`);
  list.children[at]?.scrollIntoView({ block: "nearest" });
};

/** Arrows move through the results, Enter opens one. */
const choose = ({ dialog, input, list }: Parts, event: KeyboardEvent): void => {
  const options = [...list.children];
  const at = options.findIndex((each) => each.getAttribute("aria-selected") === "true");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined && options.length > 0) {
    event.preventDefault();
    mark(input, list, (at + step + options.length) % options.length);
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  const chosen = options[at];
  if (!(chosen instanceof HTMLAnchorElement)) return;
  dialog.close();
  location.assign(chosen.href);
};
