export { createFileStore, type FileStoreOptions } from './file-store.ts'
export {
  type ExpressGuard,
  expressGuard,
  type FastifyGuard,
  type FastifyReply,
  fastifyGuard,
  type KoaContext,
  type KoaGuard,
  koaGuard,
  type NodeGuardOptions,
  type NodeRequest,
  type NodeResponse,
} from './guards.ts'
