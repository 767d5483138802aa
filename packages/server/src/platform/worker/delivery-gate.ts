/** Where everything that sends by itself waits while delivery is held (decision 85). */
export interface DeliveryGate {
  /** Calls `start` now, or once when delivery is released; never after the gate was stopped. */
  whenReleased(start: () => void): void;
}
