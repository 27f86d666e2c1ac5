import type { Service } from './model/catalog.ts';

/** The settings of a proxy with the fields that are always there. */
export const proxyView = (proxy: Service['Proxy']) => ({ Mode: '', MeshGateway: {}, Expose: {}, ...proxy });

/** An instance of a service as the catalog shows it. */
export const serviceView = ({ CreateIndex, ModifyIndex, Node: _node, ...service }: Service) => ({
  ...service,
  Proxy: proxyView(service.Proxy),
  PeerName: '',
  CreateIndex,
  ModifyIndex,
});
