/**
 * What the process ends with.
 */

/** By the status of an attempt; `usage` for a command line that cannot be run, where nothing was started. */
export const exitCodes = {
  completed: 0,
  /** The command is broken, not what it was asked. */
  defect: 1,
  usage: 2,
  failed: 10,
  timeout: 11,
  incomplete: 12,
  unavailable: 13,
  interrupted: 130
} as const

/** For the help of a command. */
export const exitCodeHelp =
  "0 completed, 2 usage, 10 failed, 11 timeout, 12 incomplete, 13 backend unavailable, 130 interrupted."

/** The command has run to its end, and this is what came of it. */
export const endWith = (code: number): void => {
  process.exitCode = code
}
