export {
  type Console,
  type ConsoleOptions,
  type ConsoleRequest,
  type ConsoleResponse,
  createConsole,
} from './console.js'
