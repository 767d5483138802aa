import { defineConfig } from "vitest/config";

// Tests run on the sources of the package they belong to, and on the built packages beside it.
export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "demo/test/**/*.test.ts", "e2e/test/**/*.test.ts"],
    globalSetup: ["packages/server/test/support/global-setup.ts"],
    setupFiles: ["packages/server/test/support/hold-replies.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine takes longer than the usual second; what is waited for ends the wait.
    expect: { poll: { timeout: 15_000 } },
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
