#define SPELLED_ELSEWHERE __attribute__((no_sanitize("thread")))
void on_the_host() {
  asm volatile("nop");
}
int main() { on_the_host(); }
