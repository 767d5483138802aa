import { say } from "@curtail/words/page";
/** Addresses of an account, as the pages have them. */
export interface ServiceAccess {
  /** Address of the interface of production, with its version. */
  readonly rest_url: string;
  readonly sandbox_url: string;
  readonly api_key_header: string;
}

/** A command, and what it is for. */
export interface InstallingStep {
  readonly title: string;
  readonly text: string;
}

const USUAL_HEADER = "X-Service-API-Key";

/** How the command line is downloaded from this service and set to connect to it. */
export const commandLineSteps = (
  { rest_url, sandbox_url, api_key_header }: ServiceAccess,
  environment: "production" | "sandbox",
): readonly InstallingStep[] => {
  const header = api_key_header === USUAL_HEADER ? "" : ` --key-header ${api_key_header}`;
  const url = environment === "sandbox" ? sandbox_url : rest_url;
  return [
    {
      title: say("Download it; it needs Node.js 20.19 or newer"),
      text: `curl -O ${downloadOf(rest_url, "curtail.mjs")}`,
    },
    { title: say("Log in with an API key"), text: `node curtail.mjs login --url ${originOf(url)}${header}` },
    ...next[environment],
  ];
};

const next = {
  production: [
    { title: say("Check everything between your machine and the service"), text: "node curtail.mjs doctor" },
  ],
  sandbox: [
    {
      title: say("Receive notices without an open port"),
      text: "node curtail.mjs listen --forward-to http://127.0.0.1:9000/",
    },
    { title: say("Run a scenario and see each criterion"), text: "node curtail.mjs trigger update --speed 120" },
  ],
} as const;

/** How the libraries are installed from this service. */
export const librarySteps = ({ rest_url }: Pick<ServiceAccess, "rest_url">): readonly InstallingStep[] => [
  {
    title: say("Libraries for Node.js and browsers"),
    text: `npm install ${["client", "spool"].map((name) => downloadOf(rest_url, `curtail-${name}.tgz`)).join(" ")}`,
  },
  {
    title: say("Nodes for Node-RED, in its user directory"),
    text: `npm install ${downloadOf(rest_url, "curtail-node-red.tgz")}`,
  },
];

const originOf = (url: string): string => new URL(url).origin;
const downloadOf = (url: string, name: string): string => `${originOf(url)}/downloads/${name}`;
