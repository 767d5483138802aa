const SHOWN_MS = 1500;

/** A button on every block of code. Prompts and output of a transcript are left out of the copy. */
export const addCopyButtons = (): void => {
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", () => void copy(block, button));
    block.append(button);
  }
};

const copy = async (block: Element, button: HTMLButtonElement): Promise<void> => {
  const text = block.querySelector("code")?.textContent ?? "";
  // Only secure pages have a clipboard.
  const words = await (navigator.clipboard?.writeText(commandsOf(text)) ?? Promise.reject(new Error())).then(
    () => "Copied",
    () => "Not allowed",
  );
  button.textContent = words;
  setTimeout(() => (button.textContent = "Copy"), SHOWN_MS);
};

const commandsOf = (text: string): string => {
  if (!/^\$ /m.test(text)) return text;
  return [...text.matchAll(/^\$ (.*(?:\\\n.*)*)$/gm)].map(([, command]) => `${command}\n`).join("");
};
