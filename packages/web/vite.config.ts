import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const service = "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // Beside dist/types, which the type check writes.
  build: { outDir: "dist/site", target: "es2022", reportCompressedSize: false },
  server: { proxy: Object.fromEntries(["/auth", "/operator/v1", "/console/v1"].map((path) => [path, service])) },
});
