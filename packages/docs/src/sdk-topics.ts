/** Exports that are described on one page. */
export interface SdkTopic {
  /** Name of its page; `index`: the library has only one. */
  readonly page: string;
  readonly title: string;
  /** Source files, in the reader's order. */
  readonly files: readonly string[];
}

export interface SdkLibrary {
  readonly name: string;
  /** Of its pages. */
  readonly folder: string;
  readonly about: string;
  readonly topics: readonly SdkTopic[];
}

/** The libraries of participants. A new source file with exports needs a place here: a test says which one has none. */
export const sdkLibraries: readonly SdkLibrary[] = [
  {
    name: "@curtail/client",
    folder: "sdk/client",
    about: "The participants' interface, for Node.js and browsers.",
    topics: [
      {
        page: "connect",
        title: "Connect",
        files: ["participant", "interfaces", "client", "operation", "clock", "links"],
      },
      { page: "requests", title: "Requests", files: ["participant-operations"] },
      {
        page: "dispatches",
        title: "Dispatches",
        files: [
          "watch-dispatches",
          "dispatch-changes",
          "file-state",
          "curtailment-windows",
          "dispatch-stream",
          "follow-dispatches",
        ],
      },
      { page: "webhooks", title: "Webhooks", files: ["verify-webhook"] },
      { page: "telemetry", title: "Telemetry", files: ["upload", "read-telemetry"] },
      { page: "failures", title: "Failures", files: ["failure", "retry"] },
      { page: "messages", title: "Messages", files: ["participant-types"] },
    ],
  },
  {
    name: "@curtail/spool",
    folder: "sdk/spool",
    about: "A queue of readings on disk, for Node.js.",
    topics: [
      {
        page: "spool",
        title: "Spool",
        files: ["spool", "spool-options", "spooled-record", "lock", "look", "set-aside"],
      },
      { page: "drain", title: "Drain", files: ["drain"] },
    ],
  },
];
