export { throwIfCancelled as checkCancelled } from '../../shared/contract/cancelled';
