// Makes a checkout ready for everything, tests too.
import { makeReady } from "./make-ready.mjs";

makeReady();
