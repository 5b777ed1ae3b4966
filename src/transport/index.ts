export * from "./Transport.ts"
export * from "./TransportError.ts"
