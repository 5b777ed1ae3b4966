export * as ClientPeer from "./ClientPeer.ts"
export * as Peer from "./Peer.ts"
export * from "./PeerError.ts"
export * as ServerPeer from "./ServerPeer.ts"
