/** Indents XML, one element per line; text content is unchanged. */
export const laidOut = (xml: string): string => {
  let depth = 0;
  const lines: string[] = [];
  for (const part of xml.match(/<[^>]+>[^<]*/g) ?? []) {
    const [, tag = "", text = ""] = /^(<[^>]+>)([^]*)$/.exec(part) ?? [];
    const closes = tag.startsWith("</");
    if (closes) depth--;
    // The closing tag of an element with text only stays on its line.
    const last = lines.length - 1;
    if (closes && isOpenWithText(lines[last], tag)) lines[last] += tag;
    else lines.push("  ".repeat(Math.max(0, depth)) + tag + text.trim());
    if (!closes && !tag.endsWith("/>") && !tag.startsWith("<?")) depth++;
  }
  return lines.join("\n");
};

const isOpenWithText = (line: string | undefined, end: string): boolean => {
  const name = end.slice(2, -1);
  return line !== undefined && new RegExp(`^\\s*<${name}(\\s[^>]*)?>[^<]*$`).test(line);
};
