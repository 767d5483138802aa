import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { firstLoadFiles } from "./build/first-loads.js";
import { startFile } from "./build/shared-files.js";

const service = "http://127.0.0.1:8080";

/** Each request costs a round trip, so what several pages share is in a few files; the first group that fits takes a module. */
const sharedFiles = [
  { name: "app", tags: ["$initial" as const], priority: 6 },
  { name: startFile, debugName: "start", priority: 5 },
  {
    name: "shared",
    test: /src\/(api|format|live|rules|shell|ui)\/(?!dialog|tabs)/,
    minShareCount: 3,
    priority: 4,
  },
  // Apart from `shared`: participants would load what operators begin with.
  { name: "operations", test: /pages\/operations\/use-/, minShareCount: 3, priority: 4 },
  { name: "chart", test: /node_modules\/uplot|src\/chart\//, priority: 3 },
  {
    name: "overlays",
    test: /node_modules\/(@base-ui|@floating-ui)|src\/ui\/(dialog|tabs)/,
    minShareCount: 3,
    priority: 2,
  },
  // What places menus is of the search and of one page, and loaded with them.
  { name: "menus", test: /node_modules\/(@base-ui|@floating-ui)/, minShareCount: 2, priority: 1 },
  {
    name: "parts",
    test: /src\/parts\/(dispatch-|channel-texts|found|status-badge|version-link|.*-words)/,
    minShareCount: 4,
    priority: 1,
  },
];

export default defineConfig({
  plugins: [tailwindcss(), firstLoadFiles()],
  // Pages and the libraries that they use are written for React, and run by Preact.
  resolve: { alias: { react: "preact/compat", "react-dom": "preact/compat" } },
  // Beside dist/types, which the type check writes.
  build: {
    outDir: "dist/site",
    target: "es2022",
    reportCompressedSize: false,
    // That of the map, which is loaded for its page alone.
    chunkSizeWarningLimit: 1100,
    // Libraries mark files for servers that render React; none does here.
    rolldownOptions: { checks: { moduleLevelDirective: false }, output: { codeSplitting: { groups: sharedFiles } } },
  },
  server: { proxy: Object.fromEntries(["/auth", "/operator/v1", "/console/v1"].map((path) => [path, service])) },
});
