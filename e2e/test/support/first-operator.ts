import type { ServiceProcess } from "./service-process.js";

/** The link that a start prints for the first operator; undefined: there is one already. */
export const firstOperatorLink = ({ lines }: ServiceProcess): string | undefined =>
  /^first operator.*: (http\S+\/first-user\/\S+)$/m.exec(lines.join("\n"))?.[1];
