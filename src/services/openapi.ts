import type { ServiceName } from '../wire/services.ts';
import type { ServiceDescription } from './core/openapi/description.ts';
import { type OpenApiDocument, openApiDocument } from './core/openapi/document.ts';

/** The descriptions of the services, loaded one at a time. */
const descriptions: Readonly<Record<ServiceName, () => Promise<ServiceDescription>>> = {
  scheduler: async () => (await import('./scheduler/openapi/service.ts')).schedulerDescription,
  accounts: async () => (await import('./accounts/openapi/service.ts')).accountsDescription,
  box: async () => (await import('./box/openapi.ts')).boxDescription,
  registry: async () => (await import('./registry/openapi/service.ts')).registryDescription,
  secrets: async () => (await import('./secrets/openapi/service.ts')).secretsDescription,
};

export const descriptionOf = (service: ServiceName): Promise<ServiceDescription> => descriptions[service]();

/** The OpenAPI document of an embedded service. @param version of this program */
export async function openApiOf(service: ServiceName, version: string): Promise<OpenApiDocument> {
  return openApiDocument(await descriptionOf(service), version);
}
