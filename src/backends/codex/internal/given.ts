/**
 * A member that is there only if it has a value: on this wire, missing and null mean that nothing was said.
 */
export const given = <K extends string, V>(key: K, value: V | null | undefined): { readonly [P in K]?: V } =>
  // The computed key is exactly K, which TypeScript widens to string.
  value == null ? {} : { [key]: value } as { readonly [P in K]?: V }
