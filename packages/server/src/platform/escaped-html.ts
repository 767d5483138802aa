const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as part of an HTML document. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (each) => ENTITIES[each] ?? "");
