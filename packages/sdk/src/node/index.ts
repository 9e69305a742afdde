export { createFileStore, type FileStoreOptions } from './file-store.ts'
export {
  expressGuard,
  type FastifyReply,
  fastifyGuard,
  type KoaContext,
  koaGuard,
  type NodeGuardOptions,
  type NodeRequest,
  type NodeResponse,
} from './guards.ts'
