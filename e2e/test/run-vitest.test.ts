import { join } from "node:path";
import { root } from "@curtail/docs";
import { expect, test } from "vitest";
import { countsOf, together, type VitestReport } from "../../scripts/run-vitest.mjs";

type File = VitestReport["testResults"][number];

const passed = (fullName: string) => ({ status: "passed", fullName, failureMessages: [] }) as const;
const failed = (fullName: string, message: string) =>
  ({ status: "failed", fullName, failureMessages: [message] }) as const;

const file = (name: string, assertionResults: File["assertionResults"], message = ""): File => ({
  name: join(root, name),
  status: message === "" && assertionResults.every(({ status }) => status === "passed") ? "passed" : "failed",
  message,
  assertionResults,
});

const reportOf = (testResults: readonly File[]): VitestReport => {
  const count = (status: string) =>
    testResults.flatMap((each) => each.assertionResults).filter((each) => each.status === status).length;
  return {
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("skipped"),
    testResults,
  };
};

const good = file("a.test.ts", [passed("counts"), passed("sorts")]);

test("a run has its numbers, and each failure with the beginning of its message", () => {
  const bad = file("b.test.ts", [passed("opens"), failed("closes", "Error: open\n1\n2\n3\n4\n5\n6")]);
  expect(countsOf(reportOf([good, bad]))).toEqual({
    passed: 3,
    failed: 1,
    skipped: 0,
    repeated: 0,
    failedFiles: ["b.test.ts"],
    passedBeside: 1,
    failures: ["failed: b.test.ts > closes\nError: open\n1\n2\n3\n4\n5"],
  });
});

test("a file that fails outside its tests counts as one failure, with or without tests", () => {
  const broken = [file("b.test.ts", [], "no such module"), file("c.test.ts", [passed("opens")], "a hook timed out")];
  expect(countsOf(reportOf([good, ...broken]))).toMatchObject({
    passed: 3,
    failed: 2,
    failures: ["failed: b.test.ts > no such module", "failed: c.test.ts > a hook timed out"],
  });
});

test("what passes once more is counted as repeated, and named with its first failure", () => {
  const first = countsOf(reportOf([good, file("b.test.ts", [passed("opens"), failed("closes", "Error: late")])]));
  const second = countsOf(reportOf([file("b.test.ts", [passed("opens"), passed("closes")])]));
  expect(together(first, second)).toMatchObject({
    passed: 4,
    failed: 0,
    repeated: 1,
    failures: ["repeated, after it failed: b.test.ts > closes\nError: late"],
  });
});

test("what fails once more is counted as failed, too", () => {
  const bad = file("b.test.ts", [failed("closes", "Error: late")]);
  const [first, second] = [countsOf(reportOf([good, bad])), countsOf(reportOf([bad]))];
  expect(together(first, second)).toMatchObject({ passed: 2, failed: 1, repeated: 1 });
});
