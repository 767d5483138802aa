/** The colours of the pages, cut from their style sheet: one place for colours. */
export const tokensOf = (styles: string): string => {
  const tokens = /^:root \{[^]*?(?=^@theme)/m.exec(styles)?.[0];
  if (tokens === undefined) throw new Error("the style sheet of the pages has no colours before @theme");
  return tokens.trim();
};
