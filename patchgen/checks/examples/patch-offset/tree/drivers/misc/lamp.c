int a;
int b;
int c;
int lamp_off;
int d;
int e;
int f;
