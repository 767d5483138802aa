import type { ServiceAddresses } from "../access/http/console-account.js";

/** A file that is handed out. */
export interface Download {
  readonly name: string;
  readonly bytes: number;
}

/** Body of the page that lists the downloads, with the commands that use them. */
export const downloadsPage = (
  files: readonly Download[],
  { production, sandbox }: Pick<ServiceAddresses, "production" | "sandbox">,
): string => {
  const at = `${production}/downloads`;
  return `<p>What participants install, in the version that this service runs. Node.js 20.19 or newer is needed, and no key.</p>
<h2>Command line and agent</h2>
${commands(`curl -O ${at}/curtail.mjs`, `node curtail.mjs login --url ${sandbox}`)}
<p>or, as the command <code>curtail</code>:</p>
${commands(`npm install --global ${at}/curtail-cli.tgz`)}
<h2>Libraries for Node.js and browsers</h2>
${commands(`npm install ${at}/curtail-client.tgz`, `npm install ${at}/curtail-spool.tgz`)}
<h2>Nodes for Node-RED</h2>
${commands(`cd ~/.node-red && npm install ${at}/curtail-node-red.tgz`)}
<h2>Files</h2>
<ul>${files.map(item).join("")}</ul>
<p>Documentation: <a href="/docs/tutorial.html">tutorial</a>, <a href="/docs/cli.html">command line</a>,
<a href="/docs/agent.html">agent</a>, <a href="/docs/sdk.html">libraries</a>,
<a href="/docs/recipes/node-red.html">Node-RED</a>.</p>`;
};

const commands = (...lines: readonly string[]): string => `<output>${lines.join("\n")}</output>`;

const item = ({ name, bytes }: Download): string => `<li><a href="${name}">${name}</a>, ${sizeOf(bytes)}</li>`;

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
